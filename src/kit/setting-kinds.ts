import path from 'node:path'
import { readBlobUrl } from './blob-url.ts'
import { readModelPrice } from './model-price.ts'

/** Reads the text of a setting. `read` throws an Error with the reason. */
export type SettingKind<T> = { name: string; read(text: string, base: string): T }

const text: SettingKind<string> = { name: 'text', read: (value) => value }

/** Whether a header can have this value: visible ASCII characters with blanks between them (RFC 9110, 5.5). */
export const isSendableKey = (key: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)

const key: SettingKind<string> = {
  name: 'text',
  read(value) {
    if (isSendableKey(value)) return value
    throw new Error('a key is one line of ASCII characters, without blanks or line breaks around it')
  },
}

const program: SettingKind<string> = {
  name: 'tesseract, a path, or off',
  read(value) {
    if (value === 'off' || /^[\w.-]+$/.test(value) || path.isAbsolute(value)) return value
    throw new Error('expected the name of a program, its path from the root, or off')
  },
}

const postgresAddress: SettingKind<string> = {
  name: 'postgres:// address',
  read(value) {
    const url = URL.parse(value)
    if (
      !url ||
      !['postgres:', 'postgresql:'].includes(url.protocol) ||
      !url.hostname ||
      url.pathname.length < 2
    )
      throw new Error('expected postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    return value
  },
}

const blobUrl: SettingKind<string> = {
  name: 's3://KEY:SECRET@HOST/BUCKET/FOLDER?region=…&tls=false&style=virtual',
  read(value) {
    readBlobUrl(value)
    return value
  },
}

const folder: SettingKind<string> = { name: 'folder', read: (value, base) => path.resolve(base, value) }

const list: SettingKind<string[]> = {
  name: 'comma list',
  read: (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
}

const folders: SettingKind<string[]> = {
  name: 'comma list',
  read: (value, base) => list.read(value, base).map((part) => path.resolve(base, part)),
}

const prices: SettingKind<string[]> = {
  name: 'comma list of MODEL=AMOUNT CURRENCY',
  read(value, base) {
    const all = list.read(value, base)
    for (const price of all) readModelPrice(price)
    return all
  },
}

const flag: SettingKind<boolean> = {
  name: 'true or false',
  read(value) {
    if (/^(true|1|yes|on)$/i.test(value)) return true
    if (/^(false|0|no|off)$/i.test(value)) return false
    throw new Error(`expected true or false, received ${JSON.stringify(value)}`)
  },
}

const count = (min: number, max: number): SettingKind<number> => ({
  name: `whole number, ${min} to ${max}`,
  read(value) {
    const number = Number(value)
    if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number
    throw new Error(`expected a whole number from ${min} to ${max}, received ${JSON.stringify(value)}`)
  },
})

const share: SettingKind<number> = {
  name: 'number, 0 to 1',
  read(value) {
    const number = Number(value)
    if (value.trim() !== '' && number >= 0 && number <= 1) return number
    throw new Error(`expected a number from 0 to 1, received ${JSON.stringify(value)}`)
  },
}

const oneOf = <const T extends string>(values: readonly T[]): SettingKind<T> => ({
  name: values.join(', '),
  read(value) {
    const found = values.find((one) => one === value)
    if (found !== undefined) return found
    throw new Error(`expected one of ${values.join(', ')}, received ${JSON.stringify(value)}`)
  },
})

/** The kinds of settings, by name. */
export const SETTING_KINDS = {
  text,
  program,
  key,
  postgresAddress,
  blobUrl,
  folder,
  list,
  folders,
  prices,
  flag,
  count,
  share,
  oneOf,
}
