import { defineEntity, field, type Row } from 'renown'
import * as v from 'valibot'
import { postContent, postPlatforms, postTypes } from './content'
import { postStatus } from './postStatus'

const { code, flag, instant, integer, oneOf, text } = field

/** Why a post failed. */
export const failureKinds = [
  'rejected',
  'unknown_outcome',
  'missed',
  'not_allowed',
  'held_by_platform',
] as const

/** Failures about which a person decides, because the post may be on the platform, or may still appear there. */
export const undecidedKinds = ['unknown_outcome', 'held_by_platform'] as const

const keptText = v.object({
  text: text('The text'),
  language: text('Its language'),
  by: v.optional(text('Who wrote it')),
})

/** A post on a platform or on a page of the owner, or the draft of one. */
export const Post = defineEntity({
  name: 'Post',
  summary: 'A post on a platform of a business, or its draft',
  idPrefix: 'pst',
  store: 'documents',
  scope: { by: 'location', field: 'business_location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace the post belongs to'),
    business_location_id: code('Business location it is for'),
    platform: oneOf(postPlatforms, 'Platform that the post is for'),
    post_type: oneOf(postTypes, 'Kind of post'),
    status: oneOf(
      ['draft', 'scheduled', 'publishing', 'published', 'failed', 'cancelled'],
      'State of the post. Only people schedule and publish posts',
    ),
    scheduled_at: v.optional(
      v.nullable(
        instant('Time at which the post should be published. Null for a draft and for a published post'),
      ),
    ),
    wall_time: v.optional(
      text('Local time at which the post should be published, such as 2026-12-01T09:00, in `timezone`'),
    ),
    timezone: v.optional(
      text('IANA time zone of `wall_time`. In a draft, the one that is used when it is scheduled'),
    ),
    content: v.pipe(postContent, v.description('What it says')),
    external_post_id: v.optional(text('Id of the post at the platform, unchanged')),
    external_url: v.optional(text('Public address of the published post')),
    published_at: v.optional(instant('When people could see it, as far as the platform says')),
    platform_state: v.optional(
      text(
        'State of the post in the words of the platform, such as pending. A publishing post with one is held back there',
      ),
    ),
    held_since: v.optional(instant('When the platform was first seen to hold the post back')),
    duplicate_urls: v.optional(
      v.pipe(
        v.array(text('Address, or the id at the platform')),
        v.description('Where the platform shows the same post again. Absent if it was published once'),
      ),
    ),
    error_message: v.optional(text('Why the last attempt failed')),
    error_count: v.optional(integer('Attempts that failed', { min: 0 })),
    failure_kind: v.optional(
      oneOf(
        failureKinds,
        'Why it failed. With `unknown_outcome` nobody can prove whether it was published, and a person decides. With `held_by_platform` the platform held it back for seven days, and a person decides. With `missed` it was more than an hour late',
      ),
    ),
    approval: v.optional(
      oneOf(['in_review', 'approved', 'rejected'], 'Whether a client approved this version of the post'),
    ),
    approval_note: v.optional(text('What the client wrote about it')),
    ai_generated: v.optional(flag('A machine wrote it')),
    written_by: v.optional(
      code('Who drafted the text: llm:<model>, template:v1, or caller for the words of a client'),
    ),
    previous_text: v.optional(v.pipe(keptText, v.description('The text that the last draft replaced'))),
    ai_chat_session_id: v.optional(text('Conversation in which it was written')),
    is_active: flag('Inactive posts are hidden'),
    occurrence: v.optional(oneOf(['earlier', 'later'], 'Which one, where the local time occurs twice')),
    revision: v.optional(integer('Counts the versions of the post that could be published', { min: 1 })),
    text_hash: v.optional(text('Digest of the text, without case and spaces')),
  },
  hidden: ['occurrence', 'revision', 'text_hash', 'previous_text'],
  namedIn: { arguments: ['post_id'], names: [], domains: [] },
  states: [postStatus],
  sortable: ['created_date', 'updated_date', 'scheduled_at', 'published_at'],
  indexes: [
    { on: ['business_location_id', '-created_date'] },
    { on: ['status'] },
    { on: ['status', 'scheduled_at'] },
    { on: ['status', 'published_at'] },
    { on: ['status', 'held_since'] },
    { on: ['business_location_id', 'status', 'scheduled_at'] },
    { on: ['business_location_id', 'status', 'published_at'] },
    { on: ['business_location_id', 'platform', 'status', '-published_at'] },
    { on: ['business_location_id', 'text_hash'] },
  ],
})
/** A stored post. */
export type PostRow = Row<typeof Post>
