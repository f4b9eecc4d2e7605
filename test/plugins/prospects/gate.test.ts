import { testPlugin } from 'renown/testing'
import leads from '../../../plugins/leads'
import prospects from '../../../plugins/prospects'
import reviews from '../../../plugins/reviews'
import traffic from '../../../plugins/traffic'
import visibility from '../../../plugins/visibility'

testPlugin(prospects, { with: [leads, reviews, traffic, visibility] })
