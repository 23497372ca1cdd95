/** The address of a description that has none of its own. */
export const PLACEHOLDER_ADDRESS = 'description:/openapi'
