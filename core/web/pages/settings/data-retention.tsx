/** @jsxImportSource ../../kit/jsx */
import type { Settings } from '../../../contracts/settings'
import { Card, Table } from '../../kit/parts/kit'

const none = 'no setting'

/** Lists how long each kind of data is kept, and which setting decides. */
export const DataRetention = ({ settings }: { readonly settings: Settings }) => (
  <Card title="Data retention" about="The operator changes a setting in the environment of Renown.">
    <Table
      label="Stored data"
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
    ['IP addresses of visitors', 'never stored', none],
    ['Individual hits', HITS_KEPT_DAYS === 0 ? 'until deleted' : `${HITS_KEPT_DAYS} days`, 'HITS_KEPT_DAYS'],
    ['Daily rows of each site', 'until deleted', none],
    ['Locations, reviews, leads, posts, reports', 'until deleted', none],
    ['Audit log of keys, apps and people', `${AUDIT_KEPT_DAYS} days`, 'AUDIT_KEPT_DAYS'],
    ['Sign-ins', '7 days without use, at most 30 days', none],
    ['One-time links', '24 hours, or one use', none],
    ['Access token of an app', `${OAUTH_ACCESS_MINUTES} minutes, then renewed`, 'OAUTH_ACCESS_MINUTES'],
    ['Connection of an app', '60 days without use, at most 180 days', none],
    ['Answers stored for repeated requests', '24 hours', none],
    ['Ids of batches of hits', '8 days', none],
  ] as const
