/** @jsxImportSource ../jsx */
import type { Settings } from '../../contracts/settings'
import { Card, Table } from '../kit'

const none = 'no setting'

/** What is kept how long, and by which setting of the installation. */
export const Kept = ({ settings }: { readonly settings: Settings }) => (
  <Card
    title="What is kept, and how long"
    about="Whoever runs Renown changes a setting in the environment of its process."
  >
    <Table
      label="What is kept"
      columns={['What', 'How long', 'Set by']}
      rows={rowsOf(settings).map(([what, long, by]) => [
        what,
        long,
        by === none ? '–' : <code key="by">{by}</code>,
      ])}
    />
  </Card>
)

const rowsOf = ({ HITS_KEPT_DAYS, AUDIT_KEPT_DAYS, OAUTH_ACCESS_MINUTES }: Settings) =>
  [
    ['Addresses of visitors', 'never kept', none],
    ['Hits in detail', HITS_KEPT_DAYS === 0 ? 'until deleted' : `${HITS_KEPT_DAYS} days`, 'HITS_KEPT_DAYS'],
    ['Daily rows of each site', 'until deleted', none],
    ['Locations, reviews, leads, posts, reports', 'until deleted', none],
    ['What was done to keys, apps and people', `${AUDIT_KEPT_DAYS} days`, 'AUDIT_KEPT_DAYS'],
    ['Sign-ins', '7 days unused, 30 days in all', none],
    ['One-time links', '24 hours, or one use', none],
    ['Access of an app', `${OAUTH_ACCESS_MINUTES} minutes, then renewed`, 'OAUTH_ACCESS_MINUTES'],
    ['Connection of an app', '60 days unused, 180 days in all', none],
    ['Answers to repeated requests', '24 hours', none],
    ['Ids of batches of hits', '8 days', none],
  ] as const
