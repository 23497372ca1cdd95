/** How a description that came from nowhere is addressed. */
export const NO_LINK = 'description:/openapi'
