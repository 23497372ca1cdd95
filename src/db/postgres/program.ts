/** The name that PostgreSQL lists the connections of servers by. */
export const SERVER_PROGRAM = 'sluice'
