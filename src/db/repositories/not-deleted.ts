/** A condition for rows with `flow_id`: their flow is not deleted. */
export const NOT_OF_DELETED_FLOWS = 'flow_id NOT IN (SELECT id FROM flows WHERE deleted_at IS NOT NULL)'
