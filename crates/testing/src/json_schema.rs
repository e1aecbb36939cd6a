//! JSON Schema as far as the project's own schemas use it, for tests.

use serde_json::Value;

/// Keywords that do not affect validity or are checked elsewhere.
const SILENT: [&str; 7] = ["$schema", "$defs", "title", "description", "default", "x-unit", "prefixItems"];

/// Violations of `schema` by `value`, each with its place.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    check(schema, schema, value, "$", &mut problems);
    problems
}

/// Checks a value. A keyword unknown here panics, so none is ignored.
fn check(root: &Value, schema: &Value, value: &Value, place: &str, problems: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        let fine = match keyword.as_str() {
            silent if SILENT.contains(&silent) => true,
            "$ref" => {
                let pointer = wanted.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
                let target = root.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the schema"));
                check(root, target, value, place, problems);
                true
            }
            "oneOf" | "anyOf" => wanted.as_array().expect("a list").iter().any(|option| {
                let mut of_option = Vec::new();
                check(root, option, value, place, &mut of_option);
                of_option.is_empty()
            }),
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("a list").contains(value),
            "type" => match wanted {
                Value::String(name) => is_a(value, name),
                names => names.as_array().expect("names").iter().any(|n| is_a(value, n.as_str().expect("a name"))),
            },
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().expect("a number")),
            "maxProperties" => value.as_object().is_none_or(|all| all.len() as u64 <= wanted.as_u64().expect("n")),
            "pattern" => value.as_str().is_none_or(|text| matches(text, wanted.as_str().expect("a pattern"))),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().expect("n")),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= wanted.as_u64().expect("n")),
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, wanted, item, &format!("{place}[{i}]"), problems);
                }
                true
            }
            "required" => {
                wanted.as_array().expect("names").iter().all(|name| value.get(name.as_str().expect("a name")).is_some())
            }
            "properties" => {
                for (name, property) in wanted.as_object().expect("properties") {
                    if let Some(inner) = value.get(name) {
                        check(root, property, inner, &format!("{place}.{name}"), problems);
                    }
                }
                true
            }
            "additionalProperties" => {
                let named = |name: &str| schema.get("properties").is_some_and(|p| p.get(name).is_some());
                let others: Vec<_> = value.as_object().into_iter().flatten().filter(|(name, _)| !named(name)).collect();
                match wanted {
                    Value::Bool(allowed) => *allowed || others.is_empty(),
                    inner => {
                        for (name, other) in others {
                            check(root, inner, other, &format!("{place}.{name}"), problems);
                        }
                        true
                    }
                }
            }
            unknown => panic!("the schema uses {unknown}, which this check does not know"),
        };
        if !fine {
            problems.push(format!("{place}: {keyword} {wanted} is not met"));
        }
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("no type is called {other}"),
    }
}

/// The patterns that our schemas use.
fn matches(text: &str, pattern: &str) -> bool {
    let lower_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    match pattern {
        "\\S" => !text.trim().is_empty(),
        "^[0-9a-f]{16}$" => text.len() == 16 && text.chars().all(lower_hex),
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" => {
            let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00T00:00:00Z"
        }
        other => panic!("the schema uses the pattern {other}, which this check does not know"),
    }
}
