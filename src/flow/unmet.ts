/** What a node is experimental for: `experimental` of its card. */
export const UNMET = 'it was tested with a server of our own that speaks its protocol, not with the product'
