import { type Config, isLoopback } from '../config.ts'
import { PLATFORM_PORT } from '../settings.ts'
import { createEgressRules, type EgressRules } from './rules.ts'

type EgressSettings = Pick<Config, 'EGRESS_ALLOW' | 'EGRESS_DENY' | 'MCP_ALLOW' | 'HOST' | 'PORT'>

/**
 * The rules for the flows of a server.
 *
 * @param ownPort the port that the server listens on; that of the settings unless given
 * @throws SluiceError `config_invalid` for an invalid entry
 */
export const rulesOfSettings = (
  { EGRESS_ALLOW: allow, EGRESS_DENY: deny, MCP_ALLOW: mcp, HOST, PORT }: EgressSettings,
  ownPort = (): number | undefined => PORT ?? PLATFORM_PORT,
): EgressRules => createEgressRules({ allow, deny, mcp, loopback: isLoopback(HOST), ownPort })
