import { SETTINGS, type SettingName } from '../kit/settings.ts'
import { isObject, parseJson } from '../kit/json.ts'

/** An option of a command: its help, and how the given texts become a value. */
export type Option<T> = {
  about: string
  /** The placeholder of the value in help; a flag has none. */
  value?: string
  /** @param texts one for each time the option was given @throws Error with the reason */
  read(texts: string[]): T
}

export type Options = Record<string, Option<unknown>>
export type Values<O extends Options> = { [N in keyof O]: O[N] extends Option<infer T> ? T : never }

/** An option with a value; the last one counts. */
const single = <T>(value: string, about: string, read: (text: string) => T): Option<T | undefined> => ({
  value,
  about,
  read: (texts) => (texts.length === 0 ? undefined : read(texts.at(-1)!)),
})

export const flag = (about: string): Option<boolean> => ({
  about,
  read: (texts) => texts.at(-1) === 'true',
})

/** A flag that is on unless `--no-…` is given. */
export const switchedOn = (about: string): Option<boolean> => ({
  about,
  read: (texts) => texts.at(-1) !== 'false',
})

export const text = (value: string, about: string) => single(value, about, (given) => given)

export const repeated = (value: string, about: string): Option<string[]> => ({
  value,
  about: `${about} (may be repeated)`,
  read: (texts) => texts,
})

export const wholeNumber = (about: string) =>
  single('number', about, (given) => {
    if (!/^\d+$/.test(given)) throw new Error(`expected a whole number, received ${JSON.stringify(given)}`)
    return Number(given)
  })

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** A time in the future, as ISO 8601: given as a duration (`30d`, `12h`, `90m`, `2w`), or as a date with or without a time. */
export const futureTime = (about: string) =>
  single('when', about, (given) => {
    const [, number, unit] = /^(\d+)([mhdw])$/.exec(given) ?? []
    const time =
      number !== undefined
        ? Date.now() + Number(number) * UNITS[unit!]!
        : /^\d{4}-\d\d-\d\d/.test(given)
          ? Date.parse(given)
          : Number.NaN
    if (!(Math.abs(time) <= 8.64e15))
      throw new Error(
        `expected 30d, 12h, 90m or a date such as 2030-01-31, received ${JSON.stringify(given)}`,
      )
    if (time <= Date.now()) throw new Error(`${given} is in the past`)
    return new Date(time).toISOString()
  })

export const oneOf = (values: readonly string[], about: string) =>
  single(values.join('|'), about, (given) => {
    if (!values.includes(given))
      throw new Error(`expected ${values.join(', ')}, received ${JSON.stringify(given)}`)
    return given
  })

export const parsedObject = (about: string) =>
  single('json', about, (given) => {
    const value = parseJson(given)
    if (!isObject(value)) throw new Error('expected a JSON object, such as \'{"team": "ops"}\'')
    return value
  })

export const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[]

/** A setting as an option: `DATA_DIR` is `--data-dir`. `readConfig` reads its text. */
export function settingOption(name: SettingName): Option<unknown> {
  const { about, kind, fallback } = SETTINGS[name]
  const shown = kind.name.startsWith('whole number') ? 'number' : kind.name.replaceAll(', ', '|')
  return {
    about,
    ...(typeof fallback === 'boolean' ? {} : { value: shown }),
    read: (texts) => texts.at(-1),
  }
}

/** The name of an option on the command line: `top-k` for `topK`, `data-dir` for `DATA_DIR`. */
export const dashed = (name: string): string =>
  /^[A-Z_]+$/.test(name)
    ? name.toLowerCase().replaceAll('_', '-')
    : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
