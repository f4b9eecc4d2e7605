import { defineEntity, field, type Row } from 'renown'
import { doubt } from 'renown/sources'
import * as v from 'valibot'
import { postPlatforms } from './content'

/**
 * Internal: where the posts of a location are published on one platform, with the credential. Platforms whose accounts
 * people connect elsewhere have a row only while they are in doubt.
 */
export const PostChannel = defineEntity({
  name: 'PostChannel',
  summary: 'Where the posts of a location are published on a platform',
  idPrefix: 'pch',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    location_id: field.text('Business location'),
    platform: field.oneOf(postPlatforms, 'Platform'),
    address: v.optional(field.text('Address of the server, site or receiver')),
    account: v.optional(field.text('Name or id of the account there')),
    secret: v.optional(field.text('Sealed')),
    public_id: v.optional(field.text('Unguessable part of a public address, such as that of the feed')),
    in_doubt: v.optional(doubt),
    doubt_about_id: v.optional(field.text('Post or mention that the doubt is about')),
  },
  hidden: ['secret'],
  sealed: ['secret'],
  sortable: ['created_date'],
  indexes: [
    { on: ['location_id', 'platform'], unique: true },
    { on: ['doubt_about_id'] },
    { on: ['public_id'], unsafeUniqueAcrossTenants: true, where: { platform: 'feed' } },
  ],
})
/** A stored channel. */
export type ChannelRow = Row<typeof PostChannel>
