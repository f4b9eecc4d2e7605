import { testInboxSource } from 'renown/testing'
import { where } from '../../../../../core/contracts/where'
import { Job } from '../../../../../core/jobs/Job'
import { Connection } from '../../../../../core/outbound/Connection'
import { inbox } from '../../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../../core/product/jobs-plugin'
import { Notification } from '../../../../../core/tenancy/news/Notification'

testInboxSource({
  plugin: inbox,
  name: 'notifications',
  shows: 'Look at Harbour',
  async prepare(gate, workspaceId) {
    const news = { type: 'x', title: 'Look at Harbour', body: 'In full', is_read: false } as const
    await gate.put(Notification, { ...news, severity: 'critical' }, workspaceId)
  },
})

testInboxSource({
  plugin: jobsPlugin([]),
  name: 'connections',
  shows: 'reconnect Harbour',
  async prepare(gate, workspace_id) {
    const account = { provider: 'google', account_id: 'a', account_name: 'Harbour', workspace_id }
    await gate.put(Connection, { ...account, state: 'broken', error: 'The token ended.' }, workspace_id)
  },
  async change(gate) {
    const own = where.eq('workspace_id', gate.tenant.workspaceId)
    await gate.owner.rows(Connection).updateMany(own, { state: 'source_unavailable' })
  },
})

testInboxSource({
  plugin: jobsPlugin([]),
  name: 'jobs',
  shows: 'Work failed: send-reply',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(Job).insert({
      workspace_id,
      queue: 'send-reply',
      key: 'k',
      state: 'failed',
      is_active: false,
      payload: {},
      due_at: '2026-03-01T10:00:00.000Z',
      attempt: 3,
      waits: 0,
      fence: 3,
      error: { kind: 'permanent', message: 'It was refused.' },
      finished_at: '2026-03-01T10:00:00.000Z',
    })
  },
  async change(gate) {
    const own = where.eq('workspace_id', gate.tenant.workspaceId)
    await gate.owner.rows(Job).updateMany(own, { finished_at: '2026-03-02T10:00:00.000Z' })
  },
})
