import { actCommands, definePlugin } from 'renown'
import { locationCapacity } from 'renown/records'
import { setCapacity, showCapacity } from './agency-capacity'
import { trialActs } from './commands'
import { dueTrials } from './dueTrials'
import { PastTrial } from './PastTrial'
import { paidLocations } from './paid-locations'
import { billingSettings } from './settings'

export default definePlugin({
  name: 'billing',
  summary: 'Locations that agencies pay for, and trials',
  renown: '^1.0.0',
  entities: [PastTrial],
  settings: billingSettings,
  commands: [...actCommands([setCapacity, ...trialActs]), showCapacity],
  jobs: { dueTrials },
  provides: [locationCapacity.with(paidLocations)],
})
