//! Rust source as words: enough to find paths and names without a parser.

/// An identifier or a punctuation character.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// The code of a file, without comments and without what stands in strings and characters.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let (mut words, mut i, mut line) = (Vec::new(), 0, 1);
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b'/' if bytes.get(i + 1) == Some(&b'/') => i = find(text, i, "\n"),
            b'/' if bytes.get(i + 1) == Some(&b'*') => i = find(text, i + 2, "*/") + 2,
            b'r' if matches!(bytes.get(i + 1), Some(b'"' | b'#')) && (i == 0 || !is_word(bytes[i - 1])) => {
                let hashes = bytes[i + 1..].iter().take_while(|&&b| b == b'#').count();
                if bytes.get(i + 1 + hashes) == Some(&b'"') {
                    let end = format!("\"{}", "#".repeat(hashes));
                    i = find(text, i + 2 + hashes, &end) + end.len();
                } else {
                    i += 1 + hashes;
                }
            }
            b'"' => {
                i += 1;
                while i < bytes.len() && bytes[i] != b'"' {
                    i += 1 + usize::from(bytes[i] == b'\\');
                }
                i += 1;
            }
            b'\'' if bytes.get(i + 1) == Some(&b'\\') => i = find(text, i + 3, "'") + 1,
            b'\'' if bytes.get(i + 2) == Some(&b'\'') => i += 3,
            b if is_word(b) => {
                i += bytes[i..].iter().take_while(|&&b| is_word(b)).count();
                words.push(Word { text: &text[start..i], line });
            }
            b if b.is_ascii_whitespace() => i += 1,
            _ => {
                i += 1;
                words.push(Word { text: &text[start..i], line });
            }
        }
        i = i.min(bytes.len());
        line += bytes[start..i].iter().filter(|&&b| b == b'\n').count();
    }
    words
}

/// Where `what` begins at or after `from`, or the end.
fn find(text: &str, from: usize, what: &str) -> usize {
    text.as_bytes()
        .get(from..)
        .and_then(|rest| rest.windows(what.len()).position(|w| w == what.as_bytes()))
        .map_or(text.len(), |at| from + at)
}

/// The words without what is compiled for tests only: items after `#[cfg(test)]`.
pub fn without_tests<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut i) = (Vec::new(), 0);
    while i < words.len() {
        if !words[i..].iter().map(|w| w.text).take(MARK.len()).eq(MARK) {
            kept.push(words[i]);
            i += 1;
            continue;
        }
        let mut depth = 0;
        for word in &words[i..] {
            i += 1;
            match word.text {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && matches!(word.text, "}" | ";") {
                break;
            }
        }
    }
    kept
}
