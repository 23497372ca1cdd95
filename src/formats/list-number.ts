/**
 * The number of a list item as its author sees it. Names of formats as in WordprocessingML (ECMA-376 part 1,
 * 17.18.59); those of other scripts come out decimal, as do numbers that letters and Roman digits do not reach.
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
