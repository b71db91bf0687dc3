//! The OPA module in wasmtime, as Kubewarden's burrego runs it.

use std::sync::Arc;

use imagestream_import_mode::cluster::{CLUSTER_VERSION, IMAGE_CONFIG, image_stream};
use imagestream_import_mode::{ReadError, ResourceRef};
use serde::Deserialize;
use serde_json::{Map, Value};
use wasmtime::{
    Engine, Instance, Linker, Memory, MemoryType, Module, Store, WasmParams, WasmResults,
};

use crate::calls::{HostCalls, Read};
use crate::cluster::Cluster;
use crate::core_door::CoreDoor;
use crate::detect::ModuleKind;
use crate::door::{Door, Evaluation, HostError, SettingsValidation};
use crate::engine::{self, GuestError};
use crate::request::Request;
use crate::response::AdmissionResponse;

/// What burrego offers; a module that asks for more does not link.
const PAGES: u32 = 5;

/// burrego evaluates the first entrypoint.
const ENTRYPOINT: i32 = 0;

/// A compiled OPA module; every request runs in an instance of its own.
pub struct OpaPolicy {
    engine: Engine,
    module: Module,
}

/// One instance with a memory of its own.
pub struct OpaInstance {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    /// The heap pointer that evaluations start from.
    heap: i32,
}

impl OpaPolicy {
    /// Compiles a module.
    ///
    /// # Errors
    ///
    /// If it is no core WebAssembly module.
    pub fn new(module: &[u8]) -> Result<Self, HostError> {
        let engine = engine::ticking().map_err(refused)?;
        let module = Module::new(&engine, module).map_err(refused)?;
        Ok(Self { engine, module })
    }

    /// Starts an instance with a memory of five pages.
    ///
    /// # Errors
    ///
    /// If the module asks for more, or lacks an export of the ABI.
    pub fn instance(&self) -> Result<OpaInstance, HostError> {
        let mut store = Store::new(&self.engine, ());
        store.set_epoch_deadline(engine::DEADLINE);
        let memory = Memory::new(&mut store, MemoryType::new(PAGES, None)).map_err(refused)?;
        let mut linker = Linker::new(&self.engine);
        linker
            .define(&store, "env", "memory", memory)
            .and_then(|linker| linker.define_unknown_imports_as_traps(&self.module))
            .map_err(refused)?;
        let instance = linker
            .instantiate(&mut store, &self.module)
            .map_err(refused)?;
        let mut instance = OpaInstance {
            store,
            instance,
            memory,
            heap: 0,
        };
        instance.heap = instance
            .parse(b"{}")
            .and_then(|_data| instance.call("opa_heap_ptr_get", ()))
            .map_err(|error| HostError::Start(error.to_string()))?;
        Ok(instance)
    }
    /// The `data` document: the settings, and the objects that the policy may want, under `kubernetes`.
    ///
    /// burrego lists every context-aware resource on each request; this reads the three objects.
    #[must_use]
    pub fn data(request: &Request, settings: &Value, cluster: &dyn Cluster) -> Value {
        let mut data = match settings {
            Value::Object(settings) => settings.clone(),
            Value::Null => Map::new(),
            Value::String(text) if text.is_empty() => Map::new(),
            other => return other.clone(),
        };
        let mut kubernetes = Map::new();
        let mut add = |resource: &ResourceRef<'_>| {
            let plural = format!("{}s", resource.kind.to_ascii_lowercase());
            if let Some(objects) = objects(resource, cluster) {
                kubernetes.insert(plural, objects);
            }
        };
        add(&IMAGE_CONFIG);
        add(&CLUSTER_VERSION);
        if let Some((namespace, name)) = request.import_stream() {
            add(&image_stream(namespace, name));
        }
        data.insert("kubernetes".to_owned(), Value::Object(kubernetes));
        Value::Object(data)
    }

    /// The `AdmissionResponse` in a result set.
    ///
    /// # Errors
    ///
    /// If it is no result set of one response.
    pub fn response(result: &[u8]) -> serde_json::Result<AdmissionResponse> {
        let [set] = serde_json::from_slice::<[ResultSet; 1]>(result)?;
        Ok(set.result.response)
    }
}

fn refused(error: wasmtime::Error) -> HostError {
    HostError::Runtime {
        kind: ModuleKind::Opa,
        why: format!("{error:#}"),
    }
}

impl OpaInstance {
    /// Evaluates two JSON documents with the calls that burrego makes, and returns the third.
    ///
    /// # Errors
    ///
    /// If the module traps or takes longer than two seconds.
    pub fn evaluate(&mut self, data: &[u8], input: &[u8]) -> Result<Vec<u8>, GuestError> {
        self.store.set_epoch_deadline(engine::DEADLINE);
        self.call::<_, ()>("opa_heap_ptr_set", self.heap)?;
        let data = self.parse(data)?;
        let input = self.parse(input)?;
        let context: i32 = self.call("opa_eval_ctx_new", ())?;
        self.call::<_, ()>("opa_eval_ctx_set_input", (context, input))?;
        self.call::<_, ()>("opa_eval_ctx_set_data", (context, data))?;
        self.call::<_, ()>("opa_eval_ctx_set_entrypoint", (context, ENTRYPOINT))?;
        let _reserved: i32 = self.call("eval", context)?;
        let result: i32 = self.call("opa_eval_ctx_get_result", context)?;
        let text: i32 = self.call("opa_json_dump", result)?;
        let start = usize::try_from(text).unwrap_or(usize::MAX);
        let bytes = self.memory.data(&self.store).get(start..);
        let text = bytes.and_then(|bytes| bytes.split(|byte| *byte == 0).next());
        text.map(<[u8]>::to_vec)
            .ok_or_else(|| GuestError::Failed("the result lies outside the memory".to_owned()))
    }

    /// How many pages the memory has.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.memory.size(&self.store)
    }

    /// The value of an exported constant.
    #[must_use]
    pub fn global(&mut self, export: &str) -> Option<i32> {
        let global = self.instance.get_global(&mut self.store, export)?;
        global.get(&mut self.store).i32()
    }

    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        export: &str,
        parameters: P,
    ) -> Result<R, GuestError> {
        let function = self
            .instance
            .get_typed_func::<P, R>(&mut self.store, export)?;
        Ok(function.call(&mut self.store, parameters)?)
    }

    fn parse(&mut self, json: &[u8]) -> Result<i32, GuestError> {
        let too_long = || GuestError::Failed("a document is longer than the memory".to_owned());
        let length = i32::try_from(json.len()).map_err(|_| too_long())?;
        let address: i32 = self.call("opa_malloc", length)?;
        let start = usize::try_from(address).map_err(|_| too_long())?;
        self.memory
            .write(&mut self.store, start, json)
            .map_err(|_| too_long())?;
        self.call("opa_json_parse", (address, length))
    }
}

#[derive(Deserialize)]
struct ResultSet {
    result: PolicyResult,
}

#[derive(Deserialize)]
struct PolicyResult {
    response: AdmissionResponse,
}

impl Door for OpaPolicy {
    fn name(&self) -> &'static str {
        "opa"
    }

    fn asks(&self) -> bool {
        false
    }

    fn evaluate(
        &self,
        request: &Request,
        settings: &Value,
        cluster: Arc<dyn Cluster>,
    ) -> Result<Evaluation, HostError> {
        let data = Self::data(request, settings, cluster.as_ref()).to_string();
        let input = format!(r#"{{"request":{}}}"#, request.text());
        let result = self.instance()?.evaluate(data.as_bytes(), input.as_bytes());
        let response = match result {
            Ok(result) => Self::response(&result).unwrap_or_else(|error| {
                let why = format!("invalid response from policy: {error}");
                AdmissionResponse::internal_error(request.uid(), &why)
            }),
            Err(error) => error.response(request.uid()),
        };
        Ok(Evaluation {
            response,
            calls: HostCalls::default(),
            mutated_object: None,
        })
    }

    /// Checked by the core in this process: the ABI has no call for it, so that a host like burrego
    /// starts with any settings and each answer warns.
    fn validate_settings(&self, settings: &[u8]) -> SettingsValidation {
        CoreDoor.validate_settings(settings)
    }
}

/// What stands under a plural; none if the read failed.
fn objects(resource: &ResourceRef<'_>, cluster: &dyn Cluster) -> Option<Value> {
    let read = Read::from(resource);
    let mut objects = Map::new();
    match cluster.get_resource(&read) {
        Ok(mut object) => {
            if let Some(fields) = object.as_object_mut() {
                // Objects of an API server name their type.
                let mut name = |field: &str, text: &str| {
                    fields.entry(field).or_insert_with(|| text.into());
                };
                name("apiVersion", resource.api_version);
                name("kind", resource.kind);
            }
            objects.insert(resource.name.to_owned(), object);
        }
        Err(error) => match ReadError::from_host_text(&error.host_text(&read)) {
            ReadError::NotFound => {}
            ReadError::Failed(_) => return None,
        },
    }
    let objects = Value::Object(objects);
    Some(match resource.namespace {
        Some(namespace) => Value::Object(Map::from_iter([(namespace.to_owned(), objects)])),
        None => objects,
    })
}
