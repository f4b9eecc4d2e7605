import { testPlugin } from 'renown/testing'
import webhooks from '../../../plugins/webhooks/index'

testPlugin(webhooks)
