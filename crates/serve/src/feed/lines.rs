//! Lines of a body that arrives in pieces.

/// Splits what arrives at line breaks and holds the unfinished line.
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line starts.
    start: usize,
    /// Up to where no line break is.
    searched: usize,
    longest: usize,
}

/// A line is longer than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What the buffer keeps between lines at most.
const KEPT: usize = 1 << 20;

impl Lines {
    pub(super) fn new(longest: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            longest,
        }
    }

    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<(), TooLong> {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.is_empty() {
            self.buffer.shrink_to(KEPT);
        }
        if self.buffer.len() + piece.len() > self.longest {
            return Err(TooLong);
        }
        self.buffer.extend_from_slice(piece);
        Ok(())
    }

    /// The next finished line, without its break.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let rest = self.buffer.get(self.searched..)?;
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            self.searched = self.buffer.len();
            return None;
        };
        let (start, end) = (self.start, self.searched + length);
        self.start = end + 1;
        self.searched = self.start;
        self.buffer.get(start..end)
    }

    /// Whether a line has begun and not ended.
    pub(super) fn is_unfinished(&self) -> bool {
        self.start < self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(lines: &mut Lines) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            all.push(String::from_utf8(line.to_vec()).unwrap());
        }
        all
    }

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        let text = b"one\n\nthree is longer\nfour\n";
        for size in 1..=text.len() {
            let mut lines = Lines::new(100);
            let mut all = Vec::new();
            for piece in text.chunks(size) {
                lines.push(piece).unwrap();
                all.extend(drain(&mut lines));
            }
            assert_eq!(all, ["one", "", "three is longer", "four"]);
            assert!(!lines.is_unfinished());
        }
    }

    #[test]
    fn an_unfinished_line_is_noticed_and_bounded() {
        let mut lines = Lines::new(8);
        lines.push(b"one\ntwo").unwrap();
        assert_eq!(drain(&mut lines), ["one"]);
        assert!(lines.is_unfinished());
        assert_eq!(lines.push(b"345678"), Err(TooLong));
    }
}
