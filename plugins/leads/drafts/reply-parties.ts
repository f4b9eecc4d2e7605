import type { Row } from 'renown'
import type { BusinessLocation } from '../records/foreign'
import type { Mention } from '../records/Mention'

/** The mention that is answered. */
export type RepliedMention = Row<typeof Mention>
/** The business that answers. */
export type ReplyingBusiness = Partial<Row<typeof BusinessLocation>> & { readonly business_name: string }
