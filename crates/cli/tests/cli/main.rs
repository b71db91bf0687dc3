//! The program as people run it: arguments in, text and exit status out.

#[cfg(test)]
mod annotate;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod help;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod live;
#[cfg(test)]
mod run;
#[cfg(test)]
mod served;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod support;
