/** The exports for authors of sources of mentions: `renown/leads`. */

export { type Channel, channels } from './records/channels'
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
