//! wasmtime hosts that run the policy as Kubewarden does, with a scripted cluster behind them.
