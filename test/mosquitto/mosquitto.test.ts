// The cases of brokers with a real mosquitto.
import { brokerCases } from '../support/broker-cases';
import { startMosquitto } from '../support/mqtt-brokers';

describe('a broker (mosquitto)', () => brokerCases(startMosquitto));
