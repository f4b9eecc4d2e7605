import { testPlugin } from 'renown/testing'
import leads from '../../../plugins/leads/index'

testPlugin(leads)
