/** The pattern of LIKE for texts that contain another, with `\` as the escape character. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
