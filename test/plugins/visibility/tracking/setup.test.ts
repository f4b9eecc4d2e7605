import visibility from '../../../../plugins/visibility'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { testSetupStep } from '../../../support/setup-suite'

testSetupStep({
  plugin: visibility,
  name: 'visibility',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(VisibilityTracker).insert({
      workspace_id,
      location_id: `loc_${workspace_id}`,
      name: 'Acme',
      brand_name: 'Acme',
      brand_aliases: [],
      competitors: [],
      engines: ['chatgpt'],
      provider: 'direct',
      is_active: true,
      run_frequency_hours: 24,
    })
  },
})
