//! Decides the import mode of OpenShift image stream tags.
