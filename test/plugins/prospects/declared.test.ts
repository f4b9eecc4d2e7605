import { ProspectAudit } from '../../../plugins/prospects/records/ProspectAudit'
import { declares } from '../../support/declared'

declares(ProspectAudit, {
  workspace_id: 'string',
  location_id: 'string',
  business_name: 'string',
  website: 'string',
  status: 'enum(queued,running,completed,failed)',
  score: 'number',
  findings: 'object',
  'findings.reviews': 'object',
  'findings.profile': 'object',
  'findings.visibility': 'object',
  'findings.traffic': 'object',
  'findings.mentions': 'object',
  report_id: 'string',
  completed_at: 'instant',
  error: 'string',
})
