// Runs the cases that neither interface may accept, on one gateway.
import './bad-input/all-faults';
import './bad-input/graphql';
import './bad-input/rest-bodies';
import './bad-input/rest-paths';
