/** How long and how large a recording may be. The server takes as many bytes; a longer one is hard to take back. */
export const RECORDING_LIMITS = { seconds: 600, bytes: 25 * 2 ** 20 }

/** What a recording has so far. */
export type RecordingSize = { seconds: number; bytes: number }

/** Why a recording ends by itself; undefined while it may go on. */
export function recordingEnd({ seconds, bytes }: RecordingSize): string | undefined {
  if (seconds >= RECORDING_LIMITS.seconds)
    return `A recording may last ${RECORDING_LIMITS.seconds / 60} minutes. What was recorded until then is kept.`
  if (bytes >= RECORDING_LIMITS.bytes * 0.95)
    return `A recording may have ${RECORDING_LIMITS.bytes / 2 ** 20} MB. What was recorded until then is kept.`
  return undefined
}

/** Those that services take, the smallest first. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4', 'audio/webm']

/** The media type that this browser records and services take. */
export const recordingType = (isSupported: (type: string) => boolean): string | undefined =>
  TYPES.find(isSupported)

/** The name of a recording: its length, and the ending of its type. */
export function recordingName(type: string, seconds: number): string {
  const ending = /^audio\/(\w+)/.exec(type)?.[1] ?? 'webm'
  return `recording ${Math.max(1, Math.round(seconds))} s.${ending}`
}

/** A length as minutes and seconds: `0:07`. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

/** Why a microphone cannot be used, by the name of the failure of the browser. */
export function microphoneProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'The browser does not let this page use the microphone. Allow it beside the address of the page.'
  if (name === 'NotFoundError') return 'There is no microphone. Connect one, or write the question.'
  if (name === 'NotReadableError') return 'Another program uses the microphone, or it is switched off.'
  return 'The microphone does not work here. Write the question.'
}

/** Why this page cannot record at all; undefined where it can. */
export function recordingMissing(browser: {
  isSecureContext: boolean
  canRecord: boolean
}): string | undefined {
  if (!browser.isSecureContext)
    return 'Browsers let pages record only over https, or from this machine (http://localhost).'
  return browser.canRecord ? undefined : 'This browser cannot record in a form that speech services take.'
}
