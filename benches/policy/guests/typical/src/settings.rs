//! The settings.

use kubewarden_policy_sdk::settings::Validatable;
use serde::{Deserialize, Serialize};

/// Which cluster it is.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    payload_architecture: String,
}

impl Settings {
    pub fn is_multi(&self) -> bool {
        self.payload_architecture == "Multi"
    }
}

impl Validatable for Settings {
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}
