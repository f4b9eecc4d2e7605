import { testPlugin } from 'renown/testing'
import billing from '../../../plugins/billing/index'

testPlugin(billing)
