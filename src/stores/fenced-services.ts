import type { NodeServices } from '../contract/card.ts'
import type { Fence } from '../contract/fence.ts'
import { fencedStore } from './fenced-store.ts'

/**
 * The services for the nodes of a request with a pinned key: every store that a node opens is within the fence, whatever
 * namespace, collection or filter the flow and the request name. Without a fence the services as they are.
 */
export function fencedServices<Services extends Pick<NodeServices, 'openStore' | 'openSeparateStore'>>(
  services: Services,
  fence: Fence | undefined,
): Services {
  if (!fence) return services
  return {
    ...services,
    openStore: (namespace: string) => fencedStore(services.openStore(namespace), fence),
    openSeparateStore: (namespace: string, engine: Parameters<NodeServices['openSeparateStore']>[1]) =>
      fencedStore(services.openSeparateStore(namespace, engine), fence),
  }
}
