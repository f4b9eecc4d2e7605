import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import locations from '../../../../plugins/locations'
import traffic from '../../../../plugins/traffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { testSetupStep } from '../../../support/setup-suite'

const business = { business_name: 'Acme', is_active: true, is_prospect: false, auto_response_enabled: false }

testSetupStep({
  plugin: locations,
  name: 'locations',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(BusinessLocation).insert({ ...business, workspace_id })
  },
})

testSetupStep({
  plugin: traffic,
  name: 'traffic',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(AiTrafficSite).insert({
      ...{ workspace_id, location_id: 'loc_1', domain: 'acme.example', timezone: 'UTC', is_active: true },
      ...{ site_key: `rnw_site_${workspace_id}`, forwarder_token_hash: workspace_id },
      ...{ forwarder_token_last4: '0000', count_search_engines: false, respect_dnt: true },
    })
  },
})
