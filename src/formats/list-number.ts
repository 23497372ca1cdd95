/**
 * The number of a list item as Word shows it. Format names are those of WordprocessingML (ECMA-376 part 1, 17.18.59).
 * Formats of other scripts give decimal numbers, and so do numbers outside the range of letters or Roman numerals.
 */
export function listNumber(number: number, format: string | undefined): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number)
    case 'upperLetter':
      return letters(number).toUpperCase()
    case 'lowerRoman':
      return roman(number)
    case 'upperRoman':
      return roman(number).toUpperCase()
    case 'decimalZero':
      return String(number).padStart(2, '0')
    default:
      return String(number)
  }
}

/** a … z, aa … zz, aaa …: Word repeats the letter, thirty times at most. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number)
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let rest = number
  let digits = ''
  for (const [value, digit] of ROMAN) {
    while (rest >= value) {
      digits += digit
      rest -= value
    }
  }
  return digits
}

const ROMAN: readonly (readonly [value: number, digit: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]
