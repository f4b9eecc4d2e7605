import * as v from 'valibot'
import { defineEvent, field } from '../kit'

/** A business or a prospect was added or activated. */
export const locationReady = defineEvent({
  name: 'location.ready',
  summary: 'A location was added or activated.',
  data: v.strictObject({ location_id: field.code('The location') }),
  example: { location_id: 'loc_01JZ8M0000000000000000000A' },
})

/** A location was paused, activated, or signed as a client. */
export const locationStatusChanged = defineEvent({
  name: 'location.status_changed',
  summary: 'A location was paused or activated, or a prospect became a client.',
  data: v.strictObject({
    location_id: field.code('The location'),
    is_active: field.flag('Whether Renown works for it now'),
    is_prospect: field.flag('Whether it is a prospect now'),
  }),
  example: { location_id: 'loc_01JZ8M0000000000000000000A', is_active: false, is_prospect: false },
})

const account = {
  provider: field.code('The service, in kebab-case'),
  account_id: field.text("The service's own id of the account"),
}
const accountExample = { provider: 'example', account_id: 'accounts/104203' }

/** An account was connected, works again, or locations of it were added. */
export const connectionReady = defineEvent({
  name: 'connection.ready',
  summary: 'An account of a service was connected, or locations of it were added.',
  data: v.strictObject(account),
  example: accountExample,
})

/** An account no longer works. */
export const connectionBroken = defineEvent({
  name: 'connection.broken',
  summary: 'An account of a service no longer works. A person has to connect it again.',
  data: v.strictObject({
    ...account,
    connection_id: field.code('The connection'),
    state: field.oneOf(['broken', 'source_unavailable'], 'Whether the access or the source was lost'),
  }),
  example: { ...accountExample, connection_id: 'con_01JZ8M0000000000000000000A', state: 'broken' },
})

/** The events that core publishes. */
export const coreEvents = [locationReady, locationStatusChanged, connectionReady, connectionBroken]
