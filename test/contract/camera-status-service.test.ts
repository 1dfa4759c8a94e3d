// The camera status document, sentence by sentence, on one gateway.
import './camera-status-service/detail-and-errors';
import './camera-status-service/list-and-register';
import './camera-status-service/resources';
