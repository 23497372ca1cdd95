/** Entries of EGRESS_ALLOW for the servers that tests start on this machine: flows may call them only where these are set. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1']
