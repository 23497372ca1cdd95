import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A key with its certificate, both in PEM. */
export type Certified = { key: string; certificate: string }

/** An authority that nobody trusts unless told to. */
export type Authority = {
  certificate: string
  /** A server's certificate for 127.0.0.1 and localhost. */
  forLoopback(valid?: { from: Date; until: Date }): Certified
}

const DAY_MS = 86_400_000
const YEAR = () => ({ from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + 365 * DAY_MS) })

/** DER (X.690): a tag, a length, and the contents. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const long = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...long]), content])
}

const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents)
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)
const octets = (...contents: Uint8Array[]) => der(0x04, ...contents)
const id = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const yes = der(0x01, Buffer.from([255]))

const ECDSA_SHA256 = sequence(id('2a8648ce3d040302'))
const nameOf = (text: string) => sequence(der(0x31, sequence(id('550403'), der(0x0c, Buffer.from(text)))))
const moment = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/\D/g, '')}Z`))

const IS_AUTHORITY = sequence(id('551d13'), yes, octets(sequence(yes)))
const LOOPBACK_NAMES = sequence(
  id('551d11'),
  octets(sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))),
)

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** An X.509 certificate (RFC 5280) in PEM. */
function certificateOf(
  subject: { name: string; key: KeyObject; extension: Uint8Array },
  issuer: { name: string; key: KeyObject },
  { from, until } = YEAR(),
): string {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_SHA256,
    nameOf(issuer.name),
    sequence(moment(from), moment(until)),
    nameOf(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subject.extension)),
  )
  const whole = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, issuer.key)))
  const lines = whole.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

export function newAuthority(name = 'An authority of the tests'): Authority {
  const { publicKey, privateKey } = newKeys()
  const issuer = { name, key: privateKey }
  return {
    certificate: certificateOf({ name, key: publicKey, extension: IS_AUTHORITY }, issuer),
    forLoopback(valid) {
      const own = newKeys()
      const subject = { name: 'localhost', key: own.publicKey, extension: LOOPBACK_NAMES }
      const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
      return { key, certificate: certificateOf(subject, issuer, valid) }
    },
  }
}
