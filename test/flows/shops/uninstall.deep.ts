import { stages } from '../changes/order-stages.ts';
import { testUninstall } from './uninstall.ts';

/** A stage with an unknown outcome, and one after the order was sent. The tests of lost uninstalls have an order that was not sent. */
const STAGES = /created, with a lost response|in production/;

testUninstall(stages.filter(({ name }) => STAGES.test(name)));
