import { testPlugin } from 'renown/testing'
import { tenancy } from '../../../core/tenancy'

testPlugin(tenancy)
