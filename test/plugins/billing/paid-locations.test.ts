import { Agency } from 'renown/records'
import billing from '../../../plugins/billing'
import { testLocationCapacity } from '../../support/capacity-suite'

testLocationCapacity({
  plugin: billing,
  name: 'paid-locations',
  hasTrials: true,
  async limit(ctx, agencyId, locations) {
    await ctx.rows(Agency).update(agencyId, { paid_capacity: locations })
  },
})
