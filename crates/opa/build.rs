//! Link arguments of the OPA module; other targets have none.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH");
    if architecture.as_deref() != Ok("wasm32") {
        return;
    }
    // OPA hosts bring the memory, with five pages at first; stack, statics and the start of the heap
    // must fit. rustc's own stack of 1 MiB would not.
    for argument in [
        "--import-memory",
        "--export-memory",
        "--initial-memory=327680",
        "-zstack-size=131072",
    ] {
        println!("cargo:rustc-link-arg-cdylib={argument}");
    }
}
