import { definePlugin, inboxEntry } from '../kit'
import { InboxMark } from '../tenancy/inbox/InboxMark'
import { inboxPage } from '../web/pages/inbox/inbox-page'
import { notificationEntries } from '../web/pages/inbox/sources'

/** The inbox of each workspace, with its critical notifications. */
export const inbox = definePlugin({
  name: 'inbox',
  summary: 'One list of everything that waits for people',
  renown: '^1.0.0',
  entities: [InboxMark],
  extensionPoints: [inboxEntry],
  provides: [inboxEntry.with(notificationEntries)],
  pages: [inboxPage],
})
