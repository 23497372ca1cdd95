/** How a description that came from nowhere is addressed. */
export const PLACEHOLDER_ADDRESS = 'description:/openapi'
