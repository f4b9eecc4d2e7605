/** The exports for authors of sources of mentions: `renown/leads`. */

export { canonicalUrl } from './finding/canonical-url'
export { type Channel, channels } from './records/channels'
export { countedMentions, countedMentionsText } from './records/counted-mentions'
export { askSource, type SourceAsk, type SourceService, waitOf } from './sources/ask-source'
export { channelOf } from './sources/channel-of'
export { cleanText, plainText } from './sources/plain-text'
export { policyOf, publicPolicy } from './sources/policy'
export {
  cursorIn,
  instantForm,
  postOf,
  type ReadableRows,
  readRows,
  secondsForm,
  textForm,
} from './sources/post-rows'
export { dateOf, readDate } from './sources/read-date'
export { noAccessCode, readSource, recheckSource } from './sources/read-source'
export {
  type AnsweredPost,
  editLocation,
  leadsReply,
  type NoReplyAccount,
  type OpenThread,
  type OutgoingReply,
  type OwnReply,
  openConnections,
  type ReplyAccount,
  type ReplyChannel,
  type ReplyLocation,
  type ReplyThread,
  type ReplyTry,
  type ReplyVersion,
  type ShownReply,
} from './sources/reply-channel'
export {
  type FoundAuthor,
  type FoundPost,
  leadsSource,
  type MentionSource,
  type Reach,
  type ReadingRequest,
  type Recheck,
  type SourceContext,
  type SourcePolicy,
  type SourceReading,
  type UnreadPost,
} from './sources/source'
export { withToken } from './sources/with-token'
