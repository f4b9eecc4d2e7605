import { definePlugin } from 'renown'
import { auditProspect } from './auditProspect'
import { auditStatus } from './auditStatus'
import { auditCommand, showAudit } from './commands'
import { prospectsDemo } from './demo'
import { reads } from './foreign'
import { auditAtOnce, newProspects } from './newProspects'
import { ProspectAudit } from './ProspectAudit'

/** Businesses that are being pitched, and what a look at each finds out. */
export default definePlugin({
  name: 'prospects',
  summary: 'Audits of businesses that are being pitched',
  renown: '^1.0.0',
  needs: ['tenancy', 'reviews', 'leads', 'visibility', 'traffic'],
  entities: [ProspectAudit],
  reads,
  states: [auditStatus],
  jobs: { newProspects },
  reactions: { locationReady: auditAtOnce },
  queues: { 'audit-prospect': auditProspect },
  commands: [auditCommand, showAudit],
  demo: prospectsDemo,
})
