import type { BuildContext } from '../contract/card.ts'
import type { Egress } from '../kit/egress/client.ts'

/**
 * Notes for checks of the flow that a part calls an address which its author typed. One with a variable is known when the flow runs.
 *
 * @param input the input that has the address
 * @param egress the client that calls it; by default that of a provider
 */
export function mayCall(
  context: Pick<BuildContext, 'beforeUse' | 'egress'>,
  address: string,
  input: string,
  egress?: Egress,
): void {
  if (!address.includes('{{'))
    context.beforeUse?.(
      async () => (egress ?? context.egress.forProvider(address)).checkPlace(address),
      input,
    )
}
