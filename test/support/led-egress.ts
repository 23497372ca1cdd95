import { createEgress, type Egress, type EgressFetch, type OpenEgress } from '../../src/kit/egress/client.ts'

/**
 * The way out of a platform, with some hosts led to servers of the test: `https://HOST/PATH` is asked for as `SERVER/HOST/PATH`. All
 * else of a call, and every call to another host, is that of the product.
 *
 * @param places the server of each host, as `http://127.0.0.1:PORT`
 */
export const ledEgress =
  (places: ReadonlyMap<string, string>): OpenEgress =>
  (options) =>
    led(createEgress(options), places)

function led(egress: Egress, places: ReadonlyMap<string, string>): Egress {
  const leading =
    (send: EgressFetch): EgressFetch =>
    (input, init) =>
      send(placeOf(String(input), places), init)
  return {
    ...egress,
    fetch: leading(egress.fetch),
    limited: (limits) => leading(egress.limited(limits)),
    forProvider: (address, trust) => led(egress.forProvider(placeOf(address, places), trust), places),
  }
}

function placeOf(address: string, places: ReadonlyMap<string, string>): string {
  const { protocol, host, pathname, search } = new URL(address)
  const server = protocol === 'https:' ? places.get(host) : undefined
  return server === undefined ? address : `${server}/${host}${pathname}${search}`
}
