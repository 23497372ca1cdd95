/** `used` counts this request too, where it is not refused. */
export type CountedRequest = { used: number; isRefused: boolean; resetMs: number }

/** Counts requests in windows that begin with the first request of a key. */
export type RequestWindows = {
  /** Counts a request, unless its window has `max` of them already. */
  count(key: string, max: number, windowMs: number): Promise<CountedRequest>
}
