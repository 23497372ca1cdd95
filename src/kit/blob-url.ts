/** The place that `BLOB_URL` names. */
export type BlobPlace = {
  /** Scheme, host and port of the server, without the bucket. */
  endpoint: URL
  bucket: string
  /** Before the name of every object; empty, or with a slash at its end. */
  prefix: string
  region: string
  /** Whether the bucket is a part of the path, or the first label of the host name. */
  style: 'path' | 'virtual'
  /** Those of the URL. */
  keys?: BlobKeys
}

export type BlobKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

const PARAMETERS = ['region', 'tls', 'style']

/** The form, for messages. */
const FORM = 's3://HOST/BUCKET or s3://HOST/BUCKET/PREFIX'

/**
 * Reads `s3://KEY:SECRET@host:port/bucket/prefix?region=eu-central-1&tls=false&style=path`. Only host and bucket are required.
 *
 * @throws Error whose message says what is wrong, without any part of the URL that may be a secret
 */
export function readBlobUrl(text: string): BlobPlace {
  if (!/^s3:\/\//i.test(text)) throw new Error(`expected an address of the form ${FORM}`)
  // A scheme that URL knows, so that it checks and normalises the host.
  const url = URL.parse(text.replace(/^s3:/i, 'https:'))
  if (!url)
    throw new Error(
      `expected an address of the form ${FORM}; in keys, write / as %2F, + as %2B and @ as %40, or use AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    )
  if (url.hash) throw new Error('a # is written %23')
  const [bucket = '', ...rest] = decode(url.pathname.slice(1)).split('/')
  if (bucket === '') throw new Error(`it names no bucket: expected ${FORM}`)
  // The characters of all S3 servers; AWS allows fewer.
  if (!/^[a-z\d]([\w.-]{0,253}[a-z\d])?$/i.test(bucket))
    throw new Error('the bucket has a name that no S3 server allows')
  const folders = rest.filter((part) => part !== '')
  if (folders.some((part) => part === '.' || part === '..' || /\p{Cc}/u.test(part)))
    throw new Error('its prefix has a part . or .., or control characters')
  const prefix = folders.map((part) => `${part}/`).join('')
  if (Buffer.byteLength(prefix) > 500) throw new Error('its prefix is longer than 500 bytes')
  const { region, tls = true, style } = parametersOf(url)
  if (style === 'virtual' && /^(\[|[\d.]+$)/.test(url.hostname))
    throw new Error(
      'style=virtual needs a host name, whose subdomains are the buckets, and not an IP address',
    )
  return {
    // Read again, since 443 is no port of its own in an address with https.
    endpoint: new URL(new URL(text.replace(/^s3:/i, tls ? 'https:' : 'http:')).origin),
    bucket,
    prefix,
    region: region ?? regionOf(url.hostname) ?? 'us-east-1',
    style: style ?? 'path',
    ...keysOf(url),
  }
}

/** The keys of a place, from its URL or from the settings. @throws Error where they are missing or incomplete */
export function keysFor(
  { keys }: BlobPlace,
  settings: {
    AWS_ACCESS_KEY_ID?: string | undefined
    AWS_SECRET_ACCESS_KEY?: string | undefined
    AWS_SESSION_TOKEN?: string | undefined
  },
): BlobKeys {
  if (keys) return keys
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = settings
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error(
      'it has no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write s3://KEY:SECRET@HOST/BUCKET',
    )
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  }
}

/** A place for messages: its bucket, prefix and host. */
export const nameOfPlace = ({ bucket, prefix, endpoint }: BlobPlace): string =>
  `${[bucket, prefix.replace(/\/$/, '')].filter(Boolean).join('/')} at ${endpoint.host}`

function parametersOf({ searchParams, search }: URL): {
  region?: string
  tls?: boolean
  style?: BlobPlace['style']
} {
  for (const name of searchParams.keys()) {
    // A secret with a question mark that is not escaped would end up here.
    const shown = search.includes('@') ? '' : `, and not ${name}`
    if (!PARAMETERS.includes(name)) throw new Error(`its parameters are ${PARAMETERS.join(', ')}${shown}`)
    if (searchParams.getAll(name).length > 1) throw new Error(`it has the parameter ${name} twice`)
  }
  const [region, tls, style] = PARAMETERS.map((name) => searchParams.get(name) ?? undefined)
  if (region !== undefined && !/^[\w-]{1,64}$/.test(region)) throw new Error('its region is not a name')
  if (tls !== undefined && tls !== 'true' && tls !== 'false') throw new Error('tls is true or false')
  if (style !== undefined && style !== 'path' && style !== 'virtual')
    throw new Error('style is path or virtual')
  return {
    ...(region ? { region } : {}),
    ...(tls ? { tls: tls === 'true' } : {}),
    ...(style ? { style } : {}),
  }
}

function keysOf(url: URL): { keys?: BlobKeys } {
  const [accessKeyId, secretAccessKey] = [decode(url.username), decode(url.password)]
  if (accessKeyId === '' && secretAccessKey === '') return {}
  if (accessKeyId === '' || secretAccessKey === '')
    throw new Error('it has one of its two keys only: write s3://KEY:SECRET@HOST/BUCKET')
  return { keys: { accessKeyId, secretAccessKey } }
}

/** The region in a host name of AWS. */
const regionOf = (host: string): string | undefined =>
  /(?:^|\.)s3[.-](?:dualstack\.)?([a-z\d-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1]

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('it has a % that no two hexadecimal digits follow: write %25')
  }
}
