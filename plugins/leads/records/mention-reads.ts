import type { ListQuery, Row } from 'renown'
import type { Mention } from './Mention'

/** Reads of mentions: of all workspaces, or of the workspace of a page. */
export interface MentionReads {
  rows(entity: typeof Mention): { list(query: ListQuery): Promise<Row<typeof Mention>[]> }
}
