// The cases of brokers with aedes, which needs nothing but Node.
import { brokerCases } from '../../support/broker-cases';
import { startAedes } from '../../support/mqtt-brokers';

describe('a broker (aedes)', () => brokerCases(startAedes));
