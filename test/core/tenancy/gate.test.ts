import { testPlugin } from 'renown/testing'
import { tenancy } from '../../../core/product/tenancy-plugin'

testPlugin(tenancy)
