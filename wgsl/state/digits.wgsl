// What a radix sort knows of digits.

// Numbers of four digits that follow one another.
struct Digits {
    four: vec4<u32>,
}
